/** The events for which elements have handler attributes, in HTML, in SVG and in older browsers. */

const eventNames: ReadonlySet<string> = new Set(
  (
    "abort activate afterprint animationcancel animationend animationiteration animationstart auxclick " +
    "beforeinput beforematch beforeprint beforetoggle beforeunload begin blur bounce cancel canplay " +
    "canplaythrough change click close command compassneedscalibration contentvisibilityautostatechange " +
    "contextlost contextmenu contextrestored copy cuechange cut datasetchanged dblclick drag dragend dragenter " +
    "dragleave dragover dragstart drop durationchange emptied encrypted ended enterpictureinpicture error " +
    "finish focus focusin focusout formdata fullscreenchange fullscreenerror gamepadconnected " +
    "gamepaddisconnected gotpointercapture hashchange input interest invalid keydown keypress keyup " +
    "languagechange leavepictureinpicture load loadeddata loadedmetadata loadstart loseinterest " +
    "lostpointercapture message messageerror mousedown mouseenter mouseleave mousemove mouseout mouseover " +
    "mouseup mousewheel move offline online pageconceal pagehide pagereveal pageshow pageswap paint paste " +
    "pause play playing pointercancel pointerdown pointerenter pointerleave pointermove pointerout pointerover " +
    "pointerrawupdate pointerup popstate progress propertychange ratechange rejectionhandled repeat reset " +
    "resize rowexit scroll scrollend scrollsnapchange scrollsnapchanging securitypolicyviolation seeked " +
    "seeking select selectionchange selectstart slotchange snapchanged snapchanging stalled start storage " +
    "submit suspend timeupdate toggle touchcancel touchend touchmove touchstart transitioncancel transitionend " +
    "transitionrun transitionstart unhandledrejection unload volumechange waiting waitingforkey " +
    "webkitanimationend webkitanimationiteration webkitanimationstart webkitfullscreenchange " +
    "webkittransitionend wheel zoom"
  ).split(" "),
)

/** Returns true if a name in lower case is `on` and the name of an event, such as `onclick`. */
export function isEventAttribute(name: string): boolean {
  return name.startsWith("on") && eventNames.has(name.slice(2))
}

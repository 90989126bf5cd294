// Icons are hidden from screen readers: the button or link around one has the text.

template Check() {
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12.5 4.5 4.5L19 7.5"/></svg>
}

template Trash() {
  <svg
    class="icon"
    viewBox="0 0 24 24"
    aria-hidden="true"
  ><path d="M4 7h16M9.5 7V4.5h5V7M6 7l1 13h10l1-13M10 11v5.5M14 11v5.5"/></svg>
}

template Plus() {
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M12 5v14M5 12h14"/></svg>
}

template Search() {
  <svg
    class="icon"
    viewBox="0 0 24 24"
    aria-hidden="true"
  ><circle cx="11" cy="11" r="6.5"/><path d="m16 16 4.5 4.5"/></svg>
}

template Clip() {
  <svg
    class="icon"
    viewBox="0 0 24 24"
    aria-hidden="true"
  ><path d="m20 11.5-8.2 8.2a5 5 0 0 1-7.1-7.1l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4l7.8-7.8"/></svg>
}

template Back() {
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M19 12H5M11 6l-6 6 6 6"/></svg>
}

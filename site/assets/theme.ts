// Before the page is drawn, so that it does not change its colours.
const theme = localStorage.getItem("theme")
if (theme) document.documentElement.dataset.theme = theme

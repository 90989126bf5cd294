// Runs before the page is drawn, so that its colours do not change while it loads.
const theme = localStorage.getItem("theme")
if (theme) document.documentElement.dataset.theme = theme

// Shown instead of a page, for errors. Directories that begin with an underscore contain no routes.

template Message(status: number, heading: string, text: string) {
  <section class="py-16 text-center sm:py-28">
    <p class="text-sm font-medium tracking-widest text-muted">{status}</p>
    <h1 class="mt-3 text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{heading}</h1>
    <p class="mx-auto mt-4 max-w-md text-lg text-balance text-muted [overflow-wrap:anywhere]">{text}</p>
    <a href="/" class="button button-main mt-8">Back to the start</a>
  </section>
}

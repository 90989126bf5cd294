interface Item { id: number; kind: string; title: string; href: string; open: boolean }

template Leaf(name: string, depth: number) {
  <li>{name}{if (depth > 1) {<ul>{Leaf(name, depth - 1)}</ul>}}</li>
}

template Tree(names: readonly string[]) {
  <ul>{for (const name of names) {{Leaf(name, 50)}}}</ul>
}

template Attributes(items: readonly Item[]) {
  {for (const item of items) {<b id={item.id} class={item.kind} title={item.title} data-key={item.href} tabindex={item.id} hidden={item.open}>x</b>}}
}

template Links(items: readonly Item[]) {
  {for (const item of items) {<li><a href={item.href}>{item.title}</a></li>}}
}

template Escaped(texts: readonly string[]) {
  {for (const text of texts) {<p title={text}>{text}</p>}}
}

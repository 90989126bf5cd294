const Leaf = ({ name, depth }) => (
  <li>
    {name}
    {depth > 1 ? (
      <ul>
        <Leaf name={name} depth={depth - 1} />
      </ul>
    ) : null}
  </li>
)
export const Tree = ({ list }) => (
  <ul>
    {list.map((name) => (
      <Leaf name={name} depth={50} />
    ))}
  </ul>
)
export const Attributes = ({ list }) => (
  <>
    {list.map((item) => (
      <b id={item.id} class={item.kind} title={item.title} data-key={item.href} tabindex={item.id} hidden={item.open}>
        x
      </b>
    ))}
  </>
)
export const Links = ({ list }) => (
  <>
    {list.map((item) => (
      <li>
        <a href={item.href}>{item.title}</a>
      </li>
    ))}
  </>
)
export const Escaped = ({ list }) => (
  <>
    {list.map((text) => (
      <p title={text}>{text}</p>
    ))}
  </>
)

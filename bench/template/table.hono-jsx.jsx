export const Table = ({ rows }) => (
  <table>
    <tbody>
      {rows.map((row) => (
        <tr data-id={row.id}>
          <td class={row.active ? "cell active" : "cell"}>{row.name}</td>
          <td>{row.email}</td>
          <td>{row.role}</td>
          <td>{row.note}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
export const render = (rows) => (<Table rows={rows} />).toString()

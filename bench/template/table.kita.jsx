export const Table = ({ rows }) => (
  <table>
    <tbody>
      {rows.map((row) => (
        <tr data-id={row.id}>
          <td class={["cell", row.active && "active"]} safe>
            {row.name}
          </td>
          <td safe>{row.email}</td>
          <td safe>{row.role}</td>
          <td safe>{row.note}</td>
        </tr>
      ))}
    </tbody>
  </table>
)
export const render = (rows) => Table({ rows })

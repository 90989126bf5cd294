export interface Row {
  id: number
  name: string
  email: string
  role: string
  note: string
  active: boolean
}

template Table(rows: readonly Row[]) {
  <table><tbody>{for (const row of rows) {
    <tr data-id={row.id}><td class={["cell", row.active && "active"]}>{row.name}</td><td>{row.email}</td><td>{row.role}</td><td>{row.note}</td></tr>
  }}</tbody></table>
}

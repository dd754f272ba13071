/** Styles of a statement for screens and print. A statement is always black on white. */
export const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; background: #fff; color: #1a1a1a; font: 16px/1.5 Charter, 'Bitstream Charter', Cambria, Georgia, serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.5rem 4rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .4rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; padding-top: .7rem; border-top: 1px solid #1a1a1a; }
p { margin: .5rem 0; max-width: 44rem; }
.period { font-size: 1.1rem; margin: 0 0 1.5rem; }
.note { color: #444; font-size: .9rem; }
dl { margin: .5rem 0; display: grid; grid-template-columns: minmax(8rem, 13rem) 1fr; gap: .35rem 1.2rem; }
dt { font-weight: 600; }
dd { margin: 0; overflow-wrap: anywhere; }
code { font: .84em/1.45 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; overflow-wrap: anywhere; }
.table { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.4; font-variant-numeric: lining-nums tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; border-bottom: 1px solid #ccc; }
th:last-child, td:last-child { padding-right: 0; }
thead th { border-bottom: 1px solid #1a1a1a; vertical-align: bottom; }
tbody th { font-weight: normal; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.text, th.text { overflow-wrap: anywhere; min-width: 8rem; }
td.fixed, th.fixed { white-space: nowrap; }
.number + .text { padding-left: 1.2rem; }
tr.group > * { border-top: 1px solid #1a1a1a; }
tr.total > * { font-weight: 600; border-top: 1px solid #1a1a1a; }
figure { margin: 1rem 0; }
svg { display: block; width: 100%; height: auto; }
.hash { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  main { padding: 1.5rem 1rem 3rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .6rem; }
}
@page { margin: 18mm 16mm; }
@media print {
  body { font-size: 10pt; }
  main { max-width: none; padding: 0; }
  .table { overflow: visible; }
  h2 { break-after: avoid; }
  tr, figure, dd, dt { break-inside: avoid; }
  thead { display: table-header-group; }
}
`;

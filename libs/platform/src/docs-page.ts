/** Returns a self-contained HTML page that follows the reader's color scheme. */
export function renderDocsPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Traffic: ${title}</title>
<style>${STYLE}</style>
${body}
</html>
`;
}

/** Escapes text for HTML and converts backticks to `<code>`. */
export const toHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** Converts text to HTML paragraphs, which it splits at blank lines. */
export const toParagraphs = (text: string): string =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${toHtml(paragraph)}</p>`)
    .join('\n');

// Table cells are stacked on narrow screens.
const STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f5f5f7, #242428);
    --faint: light-dark(#5f6368, #a0a4aa) }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem 3rem;
    overflow-wrap: break-word }
  h1 { line-height: 1.2 } h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1.5rem }
  h3 { margin: 1.75rem 0 .5rem; font-size: 1rem }
  a { color: light-dark(#0a58ca, #8ab4f8) }
  code, pre { font: .875em/1.5 ui-monospace, monospace }
  pre { background: var(--soft); padding: .75rem 1rem; border-radius: .5rem; overflow-x: auto; overflow-wrap: normal }
  table { border-collapse: collapse; width: 100% }
  td, th { text-align: left; vertical-align: top; padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line) }
  td:first-child { white-space: nowrap; padding-left: calc(var(--depth, 0) * 1.25rem) } td:nth-child(2) { min-width: 7rem }
  th { font-weight: 600 } small, .faint { color: var(--faint); font-size: .875em }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.5rem } dt { color: var(--faint) }
  dd { margin: 0 }
  tr:target { outline: 2px solid }
  @media (max-width: 40rem) {
    dl, td { display: block } dd { margin-bottom: .5rem } tr:has(th) { display: none }
    td, td:first-child { border: 0; padding: 0; white-space: normal } tr { display: block; padding: .5rem 0 .5rem calc(var(--depth, 0) * 1.25rem); border-bottom: 1px solid var(--line) }
  }
`;

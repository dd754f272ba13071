const MARKDOWN = /^text\/(?:x-)?markdown$/;
const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;

/** Returns true if an Accept header ranks Markdown at least as high as HTML, which no browser does. */
export function prefersMarkdown(accept: string): boolean {
  if (!/markdown/i.test(accept)) return false;
  let [markdown, html] = [0, 0];
  for (const item of accept.slice(0, 1_024).toLowerCase().split(',')) {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    if (MARKDOWN.test(type)) markdown = Math.max(markdown, quality);
    if (HTML.test(type)) html = Math.max(html, quality);
  }
  return markdown > 0 && markdown >= html;
}

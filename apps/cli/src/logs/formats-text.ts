import type { LogFormat } from '#libs/access-log';
import { renderTable } from '../terminal-text.js';

export function renderFormats(formats: readonly LogFormat[]): string {
  const rows = formats.map(({ name, title, verifiedBy }) => [name, title, verifiedBy]);
  const [head, ...lines] = renderTable(['--format', 'Log source', 'Verified by'], rows).split('\n');
  const limits = ({ limits: text }: LogFormat): string[] => (text === '' ? [] : [`  ${text}`]);
  return [head, ...formats.flatMap((format, index) => [lines[index], ...limits(format)])].join('\n');
}

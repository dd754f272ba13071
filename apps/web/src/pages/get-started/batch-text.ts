import type { Drain } from '../../drains/queries.js';
import { formatCount, formatVisitCount } from '../../format/count.js';

type LineCounts = Omit<Drain['last_batch'], 'is_test'>;

/** Formats line counts, such as "1,000 lines: 640 visits, 350 static files skipped, 10 unreadable". */
export function batchText({ lines, visits, static_files: files, left_out: others, unreadable }: LineCounts): string {
  if (lines === 0) return 'no lines';
  const parts = [
    formatVisitCount(visits),
    ...(files > 0 ? [`${formatCount(files)} static ${files === 1 ? 'file' : 'files'} skipped`] : []),
    ...(others > 0 ? [`${formatCount(others)} skipped as non-visitor traffic`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable)} unreadable`] : []),
  ];
  return `${formatCount(lines)} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}`;
}

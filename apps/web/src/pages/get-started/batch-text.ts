import type { Drain } from '../../drains/queries.js';
import { countText, visitsText } from '../../format/count.js';

type LineCounts = Omit<Drain['last_batch'], 'is_test'>;

/** Summarizes a batch, such as "1,000 lines: 640 visits, 350 static files left out, 10 unreadable". */
export function batchText({ lines, visits, static_files: files, left_out: others, unreadable }: LineCounts): string {
  if (lines === 0) return 'no lines';
  const parts = [
    visitsText(visits),
    ...(files > 0 ? [`${countText(files)} static ${files === 1 ? 'file' : 'files'} left out`] : []),
    ...(others > 0 ? [`${countText(others)} left out as not from visitors`] : []),
    ...(unreadable > 0 ? [`${countText(unreadable)} unreadable`] : []),
  ];
  return `${countText(lines)} ${lines === 1 ? 'line' : 'lines'}: ${parts.join(', ')}`;
}

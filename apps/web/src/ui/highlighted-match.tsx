import { Mark } from '@mantine/core';

/** Text with its matching part highlighted. Case-insensitive, like catalog matching. */
export function HighlightedMatch({ text, part }: { text: string; part: string | null }) {
  const start = part === null || part === '' ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (start === -1) return text === '' ? 'none' : text;
  const end = start + part!.length;
  return (
    <>
      {text.slice(0, start)}
      <Mark>{text.slice(start, end)}</Mark>
      {text.slice(end)}
    </>
  );
}

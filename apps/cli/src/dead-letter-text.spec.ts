import type { DeadLetterWithBody } from '#libs/contracts';
import { renderDeadLetter } from './dead-letter-text.js';

const letter = (body: Buffer): DeadLetterWithBody => ({
  id: '018f3c1e-5d7a-7c3b-9a51-0c6a2f5f1f10',
  project_id: null,
  topic: 'visits.received.v1',
  key: null,
  headers: { batch_id: 'b\u001b[2J' },
  size: body.length,
  reason: 'invalid_visit',
  detail: 'is required',
  step: 'parse',
  partition: 3,
  offset: '42',
  failed_at: '2026-11-21T08:30:00',
  replayed_at: null,
  value_base64: body.toString('base64'),
});

it('renders the fields, headers and text body', () => {
  const text = renderDeadLetter(letter(Buffer.from('{"a":\n"é\u001b[2J"}')));
  expect(text).toContain('Reason     invalid_visit');
  expect(text).toContain('Headers\n  batch_id: b\\x1b[2J\n');
  expect(text.endsWith('Body (15 bytes)\n{"a":\n"é\\x1b[2J"}')).toBe(true);
});

it('renders the first bytes of a binary body', () => {
  const text = renderDeadLetter(letter(Buffer.alloc(5_000, 0xff)));
  expect(text).toContain('00000ff0  ff ff');
  expect(text).toContain('(use --raw for the complete body)');
  expect(text).not.toContain('00001000  ff');
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressReasonText, reasonText } from '../../apps/web/src/pages/realtime/drawer/reasons.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('says every documented reason of a verification in words', () => {
  const page = read('docs/verification.md').split('## Reasons')[1]!.split('\n## ')[0]!;
  const cells = [...page.matchAll(/^\|([^|]+)\|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`([a-z_]+)`/g)]);
  const reasons = ['no_method', ...cells.map(([, reason]) => reason!)];
  expect(reasons.length).toBeGreaterThan(40);
  for (const reason of reasons) expect([reason, reasonText(reason)]).toEqual([reason, expect.stringMatching(/\.$/)]);
});

it("says every reason of a client's address in words", () => {
  const type = /type ClientAddressReason =(.+?)';\n/s.exec(read('libs/agents/src/client-address.ts'))![0];
  const reasons = [...type.matchAll(/'([a-z_]+)'/g)].map(([, reason]) => reason!);
  expect(reasons).toHaveLength(11);
  for (const reason of reasons)
    expect([reason, addressReasonText(reason)]).toEqual([reason, expect.stringMatching(/\.$/)]);
});

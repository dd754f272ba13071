import { isHostName } from '#libs/agents';
import type { AssistantRecord, Fault } from '#libs/contracts';

const APP = /^[a-z][\w-]*(?:\.[\w-]+)+$/;

/**
 * Validity check and error message of each list. A host with a single label, such as `com`, would match every site
 * below it.
 */
const TEXTS: Record<'hosts' | 'query_values' | 'android_apps', { isFit: (text: string) => boolean; fault: string }> = {
  hosts: {
    isFit: (text) => text === text.toLowerCase() && text.includes('.') && isHostName(text),
    fault: 'must be a host name of two labels or more in lower case, such as chat.example.com',
  },
  query_values: {
    isFit: (text) => text === text.toLowerCase() && text === text.trim() && !/\p{Cc}/u.test(text),
    fault: 'must be in lower case, without spaces at its ends and without control characters',
  },
  android_apps: { isFit: (text) => APP.test(text), fault: 'must be a package name such as com.example.chat' },
};

/**
 * Checks an assistant beyond its schema: valid names, hosts, query values and apps that no other assistant uses.
 *
 * @param others the other assistants in the catalog.
 * @returns faults with pointers relative to the record.
 */
export function assistantFaults(record: AssistantRecord, others: readonly AssistantRecord[]): Fault[] {
  const faults: Fault[] = [];
  for (const member of ['name', 'operator'] as const) {
    const text = record[member];
    if (text.trim() === text && !/\p{Cc}/u.test(text)) continue;
    faults.push({ pointer: `/${member}`, detail: 'must not start or end with a space or have control characters' });
  }
  for (const [member, { isFit, fault }] of Object.entries(TEXTS) as [keyof typeof TEXTS, (typeof TEXTS)['hosts']][]) {
    for (const [index, text] of record[member].entries()) {
      const pointer = `/${member}/${index}`;
      const owner = others.find((other) => other[member].includes(text));
      if (!isFit(text)) faults.push({ pointer, detail: `${fault} (got ${JSON.stringify(text)})` });
      else if (owner !== undefined)
        faults.push({ pointer, detail: `is of ${owner.name} already: remove it there first` });
    }
  }
  if (record.hosts.length + record.query_values.length + record.android_apps.length === 0) {
    faults.push({ pointer: '/hosts', detail: 'must contain a host, unless there is a query value or an Android app' });
  }
  return faults;
}

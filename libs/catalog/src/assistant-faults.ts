import { isHostName } from '#libs/agents';
import type { AssistantRecord, Fault } from '#libs/contracts';

const PACKAGE_NAME = /^[a-z][\w-]*(?:\.[\w-]+)+$/;

/**
 * Validation and error message for each list. A host with a single label, such as `com`, would match every site below
 * it.
 */
const LIST_RULES: Record<
  'hosts' | 'query_values' | 'android_apps',
  { isValid: (text: string) => boolean; fault: string }
> = {
  hosts: {
    isValid: (text) => text === text.toLowerCase() && text.includes('.') && isHostName(text),
    fault: 'must be a lowercase host name with at least two labels, such as chat.example.com',
  },
  query_values: {
    isValid: (text) => text === text.toLowerCase() && text === text.trim() && !/\p{Cc}/u.test(text),
    fault: 'must be lowercase, without surrounding spaces or control characters',
  },
  android_apps: {
    isValid: (text) => PACKAGE_NAME.test(text),
    fault: 'must be a package name such as com.example.chat',
  },
};

/**
 * Finds faults that the schema can't detect: invalid texts, and hosts, query values or apps of other assistants.
 *
 * @param others All other assistants in the catalog.
 * @returns Faults with pointers relative to the record.
 */
export function findAssistantFaults(record: AssistantRecord, others: readonly AssistantRecord[]): Fault[] {
  const faults: Fault[] = [];
  for (const field of ['name', 'operator'] as const) {
    const text = record[field];
    if (text.trim() === text && !/\p{Cc}/u.test(text)) continue;
    faults.push({ pointer: `/${field}`, detail: 'must not start or end with a space or contain control characters' });
  }
  for (const [field, { isValid, fault }] of Object.entries(LIST_RULES) as [
    keyof typeof LIST_RULES,
    (typeof LIST_RULES)['hosts'],
  ][]) {
    for (const [index, text] of record[field].entries()) {
      const pointer = `/${field}/${index}`;
      const owner = others.find((other) => other[field].includes(text));
      if (!isValid(text)) faults.push({ pointer, detail: `${fault} (got ${JSON.stringify(text)})` });
      else if (owner !== undefined)
        faults.push({ pointer, detail: `already belongs to ${owner.name}. Remove it there first` });
    }
  }
  if (record.hosts.length + record.query_values.length + record.android_apps.length === 0) {
    faults.push({ pointer: '/hosts', detail: 'must contain a host unless a query value or Android app is set' });
  }
  return faults;
}

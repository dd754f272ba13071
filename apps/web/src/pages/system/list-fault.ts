/** Explanations by the fault's kind. The reason replaces `%`. */
const EXPLANATIONS: Record<string, string> = {
  address_refused: 'The host name doesn’t resolve to a public address',
  unreachable: 'Couldn’t connect to the server',
  timed_out: 'The server didn’t respond in time',
  redirected: 'The URL now redirects elsewhere',
  too_large: 'The list is too large',
  encoded: 'The server sent the list compressed',
  bad_status: 'The server responded with %',
  unreadable: 'The list has an unexpected format',
  implausible: 'The new list was rejected because %',
};

/** Counts the lists by explanation of their fault, most common first. */
export function countListFaults(faults: readonly string[]): [explanation: string, lists: number][] {
  const groups = Map.groupBy(faults, explainListFault);
  return [...groups]
    .map(([text, { length }]): [string, number] => [text, length])
    .toSorted(([, one], [, other]) => other - one);
}

/** Explains an address list's fault, such as "bad_status: status 503", in plain words. */
export function explainListFault(fault: string): string {
  const [, kind = '', reason = ''] = /^(\w+): (.*)$/s.exec(fault) ?? [];
  return EXPLANATIONS[kind]?.replace('%', () => reason) ?? fault;
}

import { styleText } from 'node:util';
import type { AddressOrigin, Identification } from '#libs/agents';
import { clientAddressSentence, reasonSentence } from '#libs/agents/vocabulary';
import type { IdentificationAnswer } from './identification-answer.js';
import { visible } from '../terminal-text.js';
import { verdict } from '../visit-text.js';
import { nextStep } from './next-step.js';
import { distance, methodName, stepFacts, stepTitle, type Fact } from './step-text.js';

const WIDTH = 80;
const NAME_WIDTH = 12;
const STEP_INDENT = 5;
const FACT_WIDTH = 17;

/** Renders the verdict, the agent, and each step of the evidence. Wraps prose at 80 columns. */
export function renderIdentification(answer: IdentificationAnswer, now = Date.now()): string {
  const { identification } = answer;
  const { text, style } = verdict(identification.result);
  const name = identification.agent_token ?? 'no known agent';
  const next = nextStep(answer);
  return [
    `${styleText(style, text)}  ${styleText('bold', visible(name))}`,
    '',
    ...facts(agentFacts(identification), NAME_WIDTH),
    ...facts(addressFacts(answer, now), NAME_WIDTH),
    ...facts([['Why', why(identification)]], NAME_WIDTH),
    '',
    styleText('bold', 'Evidence'),
    ...steps(answer, now),
    '',
    ...facts([['Catalog', visible(identification.catalog_version)]], NAME_WIDTH),
    ...(next === null ? [] : ['', ...nextFacts(visible(next, '\n'))]),
  ].join('\n');
}

function agentFacts({ agent_token, agent_type_name, operator_name, agent_url, evidence }: Identification): Fact[] {
  const { user_agent_match: match, user_agent_token: claimed } = evidence;
  const claim =
    match === null ? 'the User-Agent does not name a known agent' : `${claimed}, by "${match}" in the User-Agent`;
  const agent: Fact[] =
    agent_token === null
      ? []
      : [
          ['Type', visible(agent_type_name ?? 'unknown')],
          ['Operator', visible(operator_name ?? 'unknown')],
          ['About', visible(agent_url ?? 'none')],
        ];
  return [...agent, ['Claims', visible(claim)]];
}

function addressFacts({ client_address, identification: { evidence } }: IdentificationAnswer, now: number): Fact[] {
  const reason = clientAddressSentence(evidence.client_address_reason);
  const source = evidence.client_address_source === null ? '' : `${evidence.client_address_source}: `;
  const { address_origin: origin } = evidence;
  return [
    ['Address', visible(`${client_address ?? 'unknown'} (${source}${reason})`)],
    ...(origin === undefined ? [] : [['Origin', visible(originText(origin, now))] satisfies Fact]),
  ];
}

function originText({ agent_token: token, range, list_url: url, as_of: asOf }: AddressOrigin, now: number): string {
  const list = url === null ? 'in the catalog' : `at ${url}`;
  const age = asOf === null ? '' : ` (${distance(asOf, now)})`;
  return `a range published for ${token}, ${range}, ${list}${age}; it proves nothing, since no agent is named`;
}

function why({ result, reason, method, evidence }: Identification): string {
  if (result === 'verified' && method !== null) return `Proven by ${methodName(method)}.`;
  if (reason !== null) return visible(reasonSentence(reason));
  if (result === 'unknown_agent') return 'No agent was found by User-Agent or by signature.';
  return evidence.steps.length === 0 ? 'Nothing was checked.' : 'See the evidence.';
}

function steps({ client_address, identification }: IdentificationAnswer, now: number): string[] {
  const { steps } = identification.evidence;
  if (steps.length === 0) return ['  Nothing was checked.'];
  return steps.flatMap((step, index) => {
    const [reason, ...details] = stepFacts(step, client_address, now);
    const indent = ' '.repeat(STEP_INDENT);
    return [
      `${String(index + 1).padStart(2)}. ${stepTitle(step)}`,
      ...wrapped(reason?.[1] ?? '', WIDTH - STEP_INDENT).map((line) => indent + line),
      ...facts(details, FACT_WIDTH, STEP_INDENT).map((line) => styleText('dim', line)),
    ];
  });
}

/** Doesn't wrap commands, so they can be copied. */
function nextFacts(text: string): string[] {
  const [prose = '', ...commands] = text.split('\n');
  return [...facts([['Next', prose]], NAME_WIDTH), ...commands.map((line) => `  ${line}`)];
}

/** Renders names in a left column and their texts wrapped in a right column. */
function facts(all: Fact[], nameWidth: number, indent = 0): string[] {
  return all.flatMap(([name, text]) =>
    wrapped(text, WIDTH - indent - nameWidth).map(
      (line, index) => ' '.repeat(indent) + (index === 0 ? name : '').padEnd(nameWidth) + line,
    ),
  );
}

/** Wraps at spaces only. Longer words, such as URLs and keys, stay whole so they can be copied. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

import { styleText } from 'node:util';
import type { AddressOrigin, Identification } from '#libs/agents';
import { describeClientAddressReason, describeReason } from '#libs/agents/vocabulary';
import type { IdentificationResponse } from './identification-response.js';
import { escapeInvisible } from '../terminal-text.js';
import { formatVerdict } from '../visit-text.js';
import { getNextStep } from './next-step.js';
import { formatRelativeTime, methodName, stepFacts, stepTitle, type Fact } from './step-text.js';

const WIDTH = 80;
const NAME_WIDTH = 12;
const STEP_INDENT = 5;
const FACT_WIDTH = 17;

/** Renders the verdict, the agent and each verification step. Prose is wrapped at 80 columns. */
export function renderIdentification(response: IdentificationResponse, now = Date.now()): string {
  const { identification } = response;
  const { text, style } = formatVerdict(identification.result);
  const name = identification.agent_token ?? 'no known agent';
  const next = getNextStep(response);
  return [
    `${styleText(style, text)}  ${styleText('bold', escapeInvisible(name))}`,
    '',
    ...renderFacts(agentFacts(identification), NAME_WIDTH),
    ...renderFacts(addressFacts(response, now), NAME_WIDTH),
    ...renderFacts([['Why', explainVerdict(identification)]], NAME_WIDTH),
    '',
    styleText('bold', 'Evidence'),
    ...steps(response, now),
    '',
    ...renderFacts([['Catalog', escapeInvisible(identification.catalog_version)]], NAME_WIDTH),
    ...(next === null ? [] : ['', ...renderAdvice(escapeInvisible(next, '\n'))]),
  ].join('\n');
}

function agentFacts({ agent_token, agent_type_name, operator_name, agent_url, evidence }: Identification): Fact[] {
  const { user_agent_match: match, user_agent_token: claimed } = evidence;
  const claim = match === null ? 'the User-Agent matches no known agent' : `${claimed} ("${match}" in the User-Agent)`;
  const agent: Fact[] =
    agent_token === null
      ? []
      : [
          ['Type', escapeInvisible(agent_type_name ?? 'unknown')],
          ['Operator', escapeInvisible(operator_name ?? 'unknown')],
          ['About', escapeInvisible(agent_url ?? 'none')],
        ];
  return [...agent, ['Claims', escapeInvisible(claim)]];
}

function addressFacts({ client_address, identification: { evidence } }: IdentificationResponse, now: number): Fact[] {
  const reason = describeClientAddressReason(evidence.client_address_reason);
  const source = evidence.client_address_source === null ? '' : `${evidence.client_address_source}: `;
  const { address_origin: origin } = evidence;
  return [
    ['Address', escapeInvisible(`${client_address ?? 'unknown'} (${source}${reason})`)],
    ...(origin === undefined ? [] : [['Origin', escapeInvisible(describeOrigin(origin, now))] satisfies Fact]),
  ];
}

function describeOrigin({ agent_token: token, range, list_url: url, as_of: asOf }: AddressOrigin, now: number): string {
  const list = url === null ? 'in the catalog' : `at ${url}`;
  const age = asOf === null ? '' : ` (${formatRelativeTime(asOf, now)})`;
  return `a range published for ${token}, ${range}, ${list}${age}; not proof of identity, because the visitor names no agent`;
}

function explainVerdict({ result, reason, method, evidence }: Identification): string {
  if (result === 'verified' && method !== null) return `Verified by ${methodName(method)}.`;
  if (reason !== null) return escapeInvisible(describeReason(reason));
  if (result === 'unknown_agent') return 'Neither the User-Agent nor a signature matches a known agent.';
  return evidence.steps.length === 0 ? 'Nothing was checked.' : 'See the evidence.';
}

function steps({ client_address, identification }: IdentificationResponse, now: number): string[] {
  const { steps } = identification.evidence;
  if (steps.length === 0) return ['  Nothing was checked.'];
  return steps.flatMap((step, index) => {
    const [reason, ...details] = stepFacts(step, client_address, now);
    const indent = ' '.repeat(STEP_INDENT);
    return [
      `${String(index + 1).padStart(2)}. ${stepTitle(step)}`,
      ...wrapText(reason?.[1] ?? '', WIDTH - STEP_INDENT).map((line) => indent + line),
      ...renderFacts(details, FACT_WIDTH, STEP_INDENT).map((line) => styleText('dim', line)),
    ];
  });
}

/** Renders advice. Commands aren't wrapped, so they can be copied. */
function renderAdvice(text: string): string[] {
  const [prose = '', ...commands] = text.split('\n');
  return [...renderFacts([['Next', prose]], NAME_WIDTH), ...commands.map((line) => `  ${line}`)];
}

/** Renders names in the left column and wrapped texts in the right column. */
function renderFacts(all: Fact[], nameWidth: number, indent = 0): string[] {
  return all.flatMap(([name, text]) =>
    wrapText(text, WIDTH - indent - nameWidth).map(
      (line, index) => ' '.repeat(indent) + (index === 0 ? name : '').padEnd(nameWidth) + line,
    ),
  );
}

/** Wraps text at spaces only. URLs, keys and other long words aren't split, so they can be copied. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

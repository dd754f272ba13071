import type { Compliance, ComplianceAgent, Referrals, ReportSection } from '#libs/contracts';
import { formatChange } from '#libs/contracts/change';
import { formatCrawlRatio, getCrawlRatio, sumForCrawlRatio } from '#libs/contracts/crawl-ratio';
import type { ReportData } from './report-data.js';
import { createSection, formatCount, formatNumberOf, getAgentName, type ToPageUrl } from './report-format.js';

const MAX_ROWS = 5;

/** Lists who sent people to the site, and how many pages their operators fetched in return. Null if neither happened. */
export function describeReferrals(
  referrals: Referrals,
  isCompared: boolean,
  toPageUrl: ToPageUrl,
): ReportSection | null {
  const { referrals: sent, previous_referrals: sentBefore, operators } = referrals;
  const select = (isSearchEngine: boolean): Operator[] =>
    operators
      .filter((one) => one.is_search_engine === isSearchEngine)
      .filter((one) => one.referrals + one.previous_referrals + (isSearchEngine ? 0 : one.pages_fetched) > 0)
      .toSorted((one, other) => other.referrals - one.referrals || other.pages_fetched - one.pages_fetched);
  const companies = select(false);
  const all = sumOperators(companies);
  if (sent + sentBefore + all.pages_fetched === 0) return null;
  const silent = companies.filter((one) => one.referrals + one.previous_referrals === 0);
  const senders = companies.filter((one) => !silent.includes(one));
  const others = senders.slice(MAX_ROWS);
  const sumOfOthers = { ...sumOperators(others), operator_name: `${others.length} other companies` };
  const listed = [
    ...senders.slice(0, MAX_ROWS),
    ...(others.length > 1 ? [sumOfOthers] : others),
    ...select(true).slice(0, MAX_ROWS),
  ];
  const rows = listed.map((one) => ({
    label: one.operator_name,
    value: formatCount(one.referrals),
    change:
      isCompared && one.referrals + one.previous_referrals > 0
        ? formatChange(one.referrals, one.previous_referrals)
        : '',
    detail: describeRatio(one, one === sumOfOthers ? others : [one]),
    url: toPageUrl('referrals'),
  }));
  const sentences =
    sent === 0
      ? [`AI assistants sent no one, while their operators fetched ${formatNumberOf(all.pages_fetched, 'page')}.`]
      : [
          describeOverallRatio(operators),
          silent.length > 0
            ? `${nameOperators(silent)} fetched ${formatNumberOf(sumOperators(silent).pages_fetched, 'page')} but sent no one.`
            : '',
        ];
  const text = sentences.filter(Boolean).join(' ');
  return createSection('People sent by AI assistants', { text, unit: 'People', rows });
}

/** Returns the names of the first operators and the number of the others, such as `Meta, Apple, and 4 other companies`. */
function nameOperators(operators: readonly Operator[]): string {
  const names = operators.map(({ operator_name: name }) => name);
  const listed = names.length <= 3 ? names : [...names.slice(0, 2), `${names.length - 2} other companies`];
  return new Intl.ListFormat('en').format(listed);
}

type Operator = Pick<
  Referrals['operators'][number],
  'operator_name' | 'referrals' | 'previous_referrals' | 'pages_fetched' | 'is_search_engine'
>;

const sumOperators = (operators: readonly Operator[]): Operator => ({
  operator_name: '',
  is_search_engine: false,
  referrals: operators.reduce((sum, one) => sum + one.referrals, 0),
  previous_referrals: operators.reduce((sum, one) => sum + one.previous_referrals, 0),
  pages_fetched: operators.reduce((sum, one) => sum + one.pages_fetched, 0),
});

/** Describes the ratio of the operators that sent people. Empty if too few people were sent. */
function describeOverallRatio(operators: Referrals['operators']): string {
  const ratio = getCrawlRatio(sumForCrawlRatio(operators));
  if (ratio === null) return '';
  const isLimited = operators.some((one) => one.referrals > 0 && one.is_search_engine);
  return `${isLimited ? 'Not counting search engines, these' : 'These'} companies fetched ${formatCrawlRatio(ratio)} pages for each person they sent.`;
}

/** @param operators Operators in the row. */
function describeRatio(
  { pages_fetched: pages, is_search_engine: isSearch }: Operator,
  operators: readonly Operator[],
): string {
  if (isSearch) return 'search engine, not counted in the ratio';
  if (pages === 0) return '';
  const ratio = getCrawlRatio(sumForCrawlRatio(operators));
  const fetched = `fetched ${formatNumberOf(pages, 'page')}`;
  return ratio === null ? fetched : `${fetched}, ${formatCrawlRatio(ratio)} for each person`;
}

/** Lists who fetched pages that robots.txt disallows. */
export function describeCompliance({ totals, agents }: Compliance, toPageUrl: ToPageUrl): ReportSection {
  const title = 'Compliance with robots.txt';
  const disallowed = agents.filter((agent) => agent.disallowed > 0 && !agent.is_user_triggered);
  if (disallowed.length === 0) return createSection(title, { text: 'No crawler ignored your robots.txt.' });
  const { disallowed: fetches, disallowed_served: served } = totals;
  const crawlers = agents.filter((agent) => !agent.is_user_triggered && isJudged(agent));
  return createSection(title, {
    text: `${formatCount(disallowed.length)} of ${formatNumberOf(crawlers.length, 'crawler')} ignored your robots.txt in ${formatNumberOf(fetches, 'request')}; your site served ${served === fetches ? 'all of them' : served === 0 ? 'none of them' : `${formatCount(served)} of them`}.`,
    unit: 'Disallowed requests',
    rows: disallowed.slice(0, MAX_ROWS).map((agent) => ({
      label: getAgentName(agent),
      value: formatCount(agent.disallowed),
      change: '',
      detail: describeDisallowed(agent),
      url: toPageUrl('visits', {
        agent: agent.agent_token ?? agent.agent_id,
        robots: 'disallowed',
        not_result: 'verification_failed',
      }),
    })),
  });
}

const isJudged = ({ allowed, disallowed, no_rules: noRules }: ComplianceAgent): boolean =>
  allowed + disallowed + noRules > 0;

function describeDisallowed({ disallowed, disallowed_served: served, read_before: read }: ComplianceAgent): string {
  const response =
    served === 0 ? 'none served' : served === disallowed ? 'all served' : `${formatCount(served)} served`;
  return read.visits > 0 ? `had read robots.txt; ${response}` : response;
}

/** Lists the agents whose name was used in visits that failed verification. */
export function describeSpoofing(
  { agents }: Compliance,
  { overview: { current, previous }, isCompared }: Pick<ReportData, 'overview' | 'isCompared'>,
  toPageUrl: ToPageUrl,
): ReportSection {
  const { verification_failed: spoofed } = current;
  const comparison = isCompared ? ` (${formatChange(spoofed, previous.verification_failed)})` : '';
  const title = 'Failed verification';
  if (spoofed === 0) return createSection(title, { text: 'No visits failed verification.' });
  return createSection(title, {
    text: `${formatNumberOf(spoofed, 'visit')} claimed to be an agent, but failed verification${comparison}.`,
    unit: 'Visits that failed verification',
    rows: agents
      .filter((agent) => agent.spoofed > 0)
      .toSorted((one, other) => other.spoofed - one.spoofed)
      .slice(0, MAX_ROWS)
      .map((agent) => ({
        label: getAgentName(agent),
        value: formatCount(agent.spoofed),
        change: '',
        detail: '',
        url: toPageUrl('visits', { agent: agent.agent_token ?? agent.agent_id, result: 'verification_failed' }),
      })),
  });
}

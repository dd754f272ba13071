import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { hasPrices } from '#libs/contracts/load-cost';
import { toolsQuery } from '../../api/tools.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { formatAmount } from '../../format/money.js';
import { Change } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { formatChangeOfFew } from '../../format/change.js';
import { Icon } from '../../ui/icon.js';
import { Lead } from '../../ui/lead.js';
import { getOperatorColor } from '../../ui/operator-colors.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { FETCHED_PAGES, PeopleCount } from './counts.js';
import { describeRatio } from './ratio.js';
import classes from './referrals.module.css';
import type { OperatorRow, ReferralTableProps } from './tables.js';

/** One card for each operator that sent people: pages its agents fetched, people its assistants sent, and cost. */
export function OperatorCards(props: ReferralTableProps) {
  const senders = props.referrals.operators
    .filter((row) => row.referrals > 0)
    .toSorted((one, other) => other.referrals - one.referrals);
  const { project, referrals } = props;
  const { data: tools } = useQuery({ ...toolsQuery(project.id, referrals), enabled: senders.length > 0 });
  const countOrders = (name: string): number =>
    (tools?.buyers ?? [])
      .filter(({ operator_name: operator }) => operator === name)
      .reduce((sum, { completed }) => sum + completed, 0);
  if (senders.length === 0) return null;
  return (
    <Stack gap="xs" component="section" aria-label="By company">
      <Lead
        about="pages fetched"
        help="Successful GET requests for HTML or Markdown. Other files and visits that failed verification don’t count. Search engines also fetch pages for their results, so they aren’t in the ratio."
      >
        Pages that each company’s agents fetched successfully, and people that its assistants sent.
      </Lead>
      <div className={classes['cards']}>
        {senders.map((row) => (
          <OperatorCard key={row.operator_name} {...props} row={row} orders={countOrders(row.operator_name)} />
        ))}
      </div>
    </Stack>
  );
}

interface OperatorCardProps extends ReferralTableProps {
  row: OperatorRow;
  /** Number of checkouts that the operator's agents completed. */
  orders: number;
}

function OperatorCard({ project, referrals, costs, linked, before, row, orders }: OperatorCardProps) {
  const { operator_name: name, pages_fetched: pages, referrals: people } = row;
  const cost = costs?.get(name);
  const ratio = describeRatio(row);
  const assistants = referrals.assistants.flatMap(({ assistant, operator_name: operator }) =>
    operator === name ? [assistant] : [],
  );
  const trend = referrals.series.map(({ by_assistant: by }) =>
    assistants.reduce((sum, assistant) => sum + (Object.hasOwn(by, assistant) ? by[assistant]! : 0), 0),
  );
  return (
    <Card withBorder component="article" aria-label={name} className={classes['card'] ?? ''}>
      <div className={classes['head']}>
        <MarkedName name={name} operator={name}>
          {name}
        </MarkedName>
        <Sparkline values={trend} width={48} label={`Trend of people sent by ${name}`} color={getOperatorColor(name)} />
      </div>
      <div className={classes['flow']}>
        <div>
          <div className={classes['label']}>Pages fetched</div>
          <div className={`${classes['value']} numbers`}>
            {pages === 0 ? (
              '0'
            ) : (
              <TextLink
                inherit
                c="inherit"
                underline="hover"
                {...listLink(project.id, linked)(toFilters({ operator: [name], ...FETCHED_PAGES }))}
              >
                {formatCount(pages)}
                <span className="unseen"> pages fetched by {name}</span>
              </TextLink>
            )}
          </div>
          <Change current={pages} previous={row.previous_pages_fetched} before={before} />
        </div>
        <span className={classes['arrow']} aria-hidden="true">
          <Icon name="referrals" size={18} />
        </span>
        <div>
          <div className={classes['label']}>People sent</div>
          <div className={`${classes['value']} numbers`}>
            <PeopleCount
              {...{ project, linked }}
              filters={assistants.length === 0 ? null : { assistant: assistants }}
              of={name}
            >
              {people}
            </PeopleCount>
          </div>
          <Change current={people} previous={row.previous_referrals} before={before} format={formatChangeOfFew} />
        </div>
      </div>
      <ul className={classes['facts']}>
        {row.is_search_engine ? (
          <li>Search engine, so not in the ratio</li>
        ) : (
          pages > 0 && (
            <li>
              {ratio === null ? (
                'Too few people for a ratio'
              ) : (
                <strong>
                  {ratio.count} per {ratio.per}
                </strong>
              )}
            </li>
          )
        )}
        {cost !== undefined && <li>Cost {formatAmount(cost, project.currency)}</li>}
        {/* Reserves the line while costs load. */}
        {costs === undefined && hasPrices(project) && <li aria-hidden="true">&nbsp;</li>}
        {orders > 0 && (
          <li>
            <TextLink inherit to="/projects/$projectId/tools" params={{ projectId: project.id }} search={linked}>
              {formatCount(orders)} {orders === 1 ? 'order' : 'orders'}
            </TextLink>{' '}
            by its agents
          </li>
        )}
      </ul>
    </Card>
  );
}

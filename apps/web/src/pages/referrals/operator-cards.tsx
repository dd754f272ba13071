import { Card, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getLoadCost, hasPrices } from '#libs/contracts/load-cost';
import type { Project } from '../../api/client.js';
import { loadQuery } from '../../api/load.js';
import type { Referrals } from '../../api/statistics.js';
import { toFilters } from '../../filters/visit-filters.js';
import { formatCount } from '../../format/count.js';
import { formatAmount } from '../../format/money.js';
import { Change } from '../../range/change.js';
import { listLink } from '../../range/list-link.js';
import type { LinkedRange } from '../../range/range.js';
import { MarkedName } from '../../ui/agent-mark.js';
import { Columns } from '../../ui/columns.js';
import { Icon } from '../../ui/icon.js';
import { useQuietRows } from '../../ui/quiet-rows.js';
import { Sparkline } from '../../ui/sparkline.js';
import { TextLink } from '../../ui/text-link.js';
import { FETCHED_PAGES, PeopleCount } from './counts.js';
import { describeRatio } from './ratio.js';
import classes from './referrals.module.css';
import type { OperatorRow } from './tables.js';

interface OperatorCardsProps {
  project: Project;
  referrals: Referrals;
  linked: LinkedRange;
  before: string | null;
}

/** One card per operator: pages its agents fetched, people its assistants sent, and cost. */
export function OperatorCards(props: OperatorCardsProps) {
  const { project, referrals } = props;
  const costs = useOperatorCosts(project, referrals);
  const operators = referrals.operators.toSorted(
    (one, other) => other.referrals - one.referrals || other.pages_fetched - one.pages_fetched,
  );
  // The first operator that sent no one took the most pages for nothing.
  const topTaker = operators.find((row) => row.referrals === 0);
  const { rows, button } = useQuietRows(operators, (row) => row.referrals > 0 || row === topTaker, {
    show: (count) => `Show ${formatCount(count)} more ${count === 1 ? 'operator' : 'operators'} that sent no one`,
    hide: 'Hide operators that sent no one',
  });
  return (
    <Stack gap="sm">
      <Columns cols={{ base: 1, sm: 2, lg: 3 }}>
        {rows.map((row) => (
          <OperatorCard key={row.operator_name} {...props} row={row} cost={costs?.get(row.operator_name) ?? null} />
        ))}
      </Columns>
      {button}
    </Stack>
  );
}

/** Returns the cost of all visits by operator, or undefined if unknown. */
function useOperatorCosts(project: Project, { from, to }: Referrals): ReadonlyMap<string, number> | undefined {
  const { data } = useQuery({
    ...loadQuery(project.id, { from, to }, { by: 'operator' }),
    enabled: hasPrices(project),
  });
  return (
    data &&
    new Map(
      data.rows.flatMap((row) => {
        const cost = getLoadCost(row, project);
        return row.value === null || cost === null ? [] : [[row.value, cost] as const];
      }),
    )
  );
}

interface OperatorCardProps extends OperatorCardsProps {
  row: OperatorRow;
  cost: number | null;
}

function OperatorCard({ project, referrals, linked, before, row, cost }: OperatorCardProps) {
  const { operator_name: name, pages_fetched: pages, referrals: people } = row;
  const ratio = describeRatio(pages, people);
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
        {people > 0 && <Sparkline values={trend} label={`Trend of people sent by ${name}`} />}
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
          {people + row.previous_referrals > 0 && (
            <Change current={people} previous={row.previous_referrals} before={before} />
          )}
        </div>
      </div>
      <ul className={classes['facts']}>
        {ratio !== null && (
          <li>
            <strong>{ratio}</strong>
          </li>
        )}
        {cost !== null && <li>Cost {formatAmount(cost, project.currency)}</li>}
        {row.is_search_engine && <li>Also runs a search engine</li>}
      </ul>
    </Card>
  );
}

import { Skeleton } from '@mantine/core';
import { lazy, Suspense, type ReactNode } from 'react';
import type { Project } from '../../api/client.js';
import type { Compliance } from '../../api/compliance.js';
import { formatCount } from '../../format/count.js';
import type { LinkedRange } from '../../range/range.js';
import { countJudged } from '../../rules/judged-visits.js';
import { Lead } from '../../ui/lead.js';
import { TabbedCard, type CardTab } from '../../ui/tabbed-card.js';
import { FilesTable } from './files-table.js';
import { groupFiles } from './file-fetches.js';
import type { COMPLIANCE_TABS } from './search.js';

// Loads in parallel with the data.
const agentTable = import('./agent-table.js').then((module) => ({ default: module.AgentTable }));
const AgentTable = lazy(() => agentTable);
const Formats = lazy(() => import('./formats.js'));
const Versions = lazy(() => import('./versions.js'));

interface ComplianceTabsProps {
  project: Project;
  compliance: Compliance;
  linked: LinkedRange;
  /** Compliance in the comparison range. Undefined until it has loaded. */
  previous: Compliance | undefined;
  /** Name of the comparison range, or null for no comparison. */
  before: string | null;
  timeZone: string;
  /** Controls at the right of the header. */
  actions: ReactNode;
  onOpenVersion: (versionId: string) => void;
}

type Tab = CardTab & { key: (typeof COMPLIANCE_TABS)[number] };

/** Card with the agents, files, formats and robots.txt versions behind the answer. */
export function ComplianceTabs(props: ComplianceTabsProps) {
  const { project, compliance, linked, previous, before, timeZone, actions, onOpenVersion } = props;
  const tables = { project, range: compliance, linked };
  // The answer above lists the other agents.
  const judged = compliance.agents.filter((agent) => countJudged(agent) > 0);
  const crawlers = judged.filter((agent) => !agent.is_user_triggered);
  const userTriggered = judged.filter((agent) => agent.is_user_triggered);
  const isFirst = ({ key }: Tab): number => Number(compliance.agents.length === 0 && key === 'versions');
  const tabs: readonly (Tab | false)[] = [
    crawlers.length > 0 && {
      key: 'agents',
      label: 'Crawlers',
      count: formatCount(crawlers.length),
      content: (
        <Suspense fallback={<Skeleton h={400} animate={false} />}>
          <AgentTable
            {...tables}
            agents={crawlers}
            previous={previous?.agents}
            before={before}
            timeZone={timeZone}
            page="compliance"
            lead={
              <Lead
                help={
                  <>
                    Served: disallowed, but with a status below 400. Blocked: disallowed, with status 403. Other
                    disallowed visits got another status, such as 404. Allowed but blocked: robots.txt allows the visit,
                    but it got status 403. Select an agent to see the lines it ignored and the paths it fetched.
                  </>
                }
              >
                Visits checked against the robots.txt in force at the time.
              </Lead>
            }
          />
        </Suspense>
      ),
    },
    userTriggered.length > 0 && {
      key: 'people',
      label: 'User requests',
      count: formatCount(userTriggered.length),
      content: (
        <Suspense fallback={<Skeleton h={400} animate={false} />}>
          <AgentTable
            {...tables}
            agents={userTriggered}
            previous={previous?.agents}
            before={before}
            timeZone={timeZone}
            page="compliance of user-triggered agents"
            lead={
              <Lead help="Their operators say that robots.txt only applies to automatic crawling, so these visits aren't counted for the answer above.">
                These agents fetch a page when a person asks for it.
              </Lead>
            }
          />
        </Suspense>
      ),
    },
    {
      key: 'files',
      label: 'Files for agents',
      count: formatCount(groupFiles(compliance.files, compliance.unknown_files).length),
      content: (
        <FilesTable
          {...tables}
          compliance={compliance}
          lead={
            <Lead help="Got a page: the answer was HTML, not the file. Refused: status 202 (a challenge) or 4xx other than 404 and 410.">
              Requests for robots.txt, sitemaps, llms.txt, and files in /.well-known/. Excludes visits that failed
              verification.
            </Lead>
          }
        />
      ),
    },
    {
      key: 'formats',
      label: 'Formats',
      content: (
        <Suspense fallback={<Skeleton h={200} animate={false} />}>
          <Formats
            {...tables}
            compliance={compliance}
            lead={
              <Lead help="Compares the Accept header with the Content-Type of responses with status 2xx. Excludes visits that failed verification, and visits with neither header.">
                The format that agents prefer, and the format they got.
              </Lead>
            }
          />
        </Suspense>
      ),
    },
    {
      key: 'versions',
      label: 'robots.txt versions',
      content: (
        <Suspense fallback={<Skeleton h={200} animate={false} />}>
          <Versions
            project={project}
            timeZone={timeZone}
            onOpen={onOpenVersion}
            lead={
              <Lead help="They can differ from the file you wrote because content delivery networks add their own blocks. Each host is fetched every hour.">
                The robots.txt files your site actually served.
              </Lead>
            }
          />
        </Suspense>
      ),
    },
  ];
  // Without visits, the robots.txt versions come first, because they explain what's missing.
  const shownTabs = tabs
    .filter((tab): tab is Tab => tab !== false)
    .toSorted((one, other) => isFirst(other) - isFirst(one));
  return <TabbedCard label="Details" param="tab" tabs={shownTabs} actions={actions} />;
}

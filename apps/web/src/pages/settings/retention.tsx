import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries.js';
import { retentionQuery } from '../../api/system-queries.js';
import { countText } from '../../format/count.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

const daysText = (days: number): string => `${countText(days)} ${days === 1 ? 'day' : 'days'}`;

/** Shows the retention of visits, which is set for the entire instance. */
export function Retention() {
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = session?.user?.is_admin ?? false;
  const { data: retention } = useQuery({ ...retentionQuery, enabled: isAdmin });
  const { days = null, unknown_days: unknownDays = null } = retention ?? {};
  return (
    <Section title="Retention" lead="Visits of all projects of this instance are kept for the same number of days.">
      {isAdmin ? (
        <Text size="sm">
          {days !== null &&
            `Visits are kept for ${daysText(days)}, those of unknown visitors for ${daysText(unknownDays ?? days)}. `}
          <TextLink to="/system">Change it on the System page</TextLink>
        </Text>
      ) : (
        <Text size="sm">Administrators set it on the System page.</Text>
      )}
    </Section>
  );
}

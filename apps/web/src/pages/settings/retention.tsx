import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../../api/queries.js';
import { retentionQuery } from '../../api/system-queries.js';
import { formatCount } from '../../format/count.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';

const daysText = (days: number): string => `${formatCount(days)} ${days === 1 ? 'day' : 'days'}`;

/** Shows the visit retention, which applies to the entire instance. */
export function Retention() {
  const { data: session } = useQuery(sessionQuery);
  const isAdmin = session?.user?.is_admin ?? false;
  const { data: retention } = useQuery({ ...retentionQuery, enabled: isAdmin });
  const { days = null, unknown_days: unknownDays = null } = retention ?? {};
  return (
    <Section title="Retention" lead="All projects on this instance share the same visit retention.">
      {isAdmin ? (
        <Text size="sm">
          {days !== null &&
            `Visits are kept for ${daysText(days)}${unknownDays === null || unknownDays >= days ? '' : `, or ${daysText(unknownDays)} for unknown visitors`}. `}
          <TextLink to="/system" hash="storage">
            Change this on the System page
          </TextLink>
        </Text>
      ) : (
        <Text size="sm">Administrators can change it on the System page.</Text>
      )}
    </Section>
  );
}

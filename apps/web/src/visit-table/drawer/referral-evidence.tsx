import { Code } from '@mantine/core';
import type { Visit } from '../../api/client.js';
import { DescriptionList } from '../../ui/description-list.js';
import { TextLink } from '../../ui/text-link.js';

interface ReferralEvidenceProps {
  projectId: string;
  referral: NonNullable<Visit['referral']>;
}

export function ReferralEvidence({ projectId, referral }: ReferralEvidenceProps) {
  const { assistant, operator, source, value } = referral;
  return (
    <DescriptionList
      facts={[
        [
          'Assistant',
          <TextLink
            to="/projects/$projectId/referrals"
            params={{ projectId }}
            search={{ assistants: 'one', name: assistant }}
            size="sm"
          >
            {assistant}
          </TextLink>,
        ],
        ['Operator', operator],
        [
          'Source',
          <>
            {source === 'referer' ? (
              'the Referer header'
            ) : (
              <>
                <Code>{source}</Code> in the URL
              </>
            )}
            : <Code>{value}</Code>
          </>,
        ],
      ]}
    />
  );
}

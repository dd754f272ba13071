import { Code, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { explanationQuery } from '../../api/catalog-queries.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { DebouncedInput } from '../../ui/debounced-input.js';
import { HighlightedMatch } from '../../ui/highlighted-match.js';

export function TryUserAgent({ userAgent, onChange }: { userAgent: string; onChange: (text: string) => void }) {
  const result = useQuery({ ...explanationQuery(userAgent), enabled: userAgent !== '' });
  return (
    <Section title="Test a User-Agent">
      <DebouncedInput
        label="User-Agent from a log"
        description="The result appears as you type."
        placeholder="Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"
        value={userAgent}
        maxLength={4_096}
        spellCheck={false}
        onTyped={onChange}
      />
      <div role="status">
        {userAgent !== '' && result.isPending && <Loader size="xs" role="img" aria-label="Looking up the User-Agent" />}
        {userAgent !== '' && result.data && (
          <MatchResult userAgent={userAgent} evidence={result.data.identification.evidence} />
        )}
      </div>
      {userAgent !== '' && result.isError && <Failure error={result.error} title="Couldn't look up the User-Agent" />}
    </Section>
  );
}

interface MatchResultProps {
  userAgent: string;
  evidence: { user_agent_token?: string | null; user_agent_match?: string | null };
}

function MatchResult({ userAgent, evidence }: MatchResultProps) {
  const { user_agent_token: token, user_agent_match: match = null } = evidence;
  if (token == null) return <Text size="sm">No agent in the catalog matches it.</Text>;
  return (
    <>
      <Text size="sm">
        Matches{' '}
        <TextLink
          from="/catalog"
          to="."
          search={(before) => ({ ...before, agent: token, edit: undefined, add: undefined })}
          resetScroll={false}
          size="sm"
          fw={600}
        >
          {token}
        </TextLink>
        , based on the highlighted part:
      </Text>
      <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <HighlightedMatch text={userAgent} part={match} />
      </Code>
    </>
  );
}

import { Code, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { explanationQuery } from '../../api/catalog-queries.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextLink } from '../../ui/text-link.js';
import { TypedInput } from '../../ui/typed-input.js';
import { Matched } from '../../ui/matched.js';

export function TryUserAgent({ userAgent, onChange }: { userAgent: string; onChange: (text: string) => void }) {
  const found = useQuery({ ...explanationQuery(userAgent), enabled: userAgent !== '' });
  return (
    <Section title="Try a User-Agent">
      <TypedInput
        label="User-Agent from a log"
        placeholder="Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)"
        value={userAgent}
        maxLength={4_096}
        spellCheck={false}
        onTyped={onChange}
      />
      <div role="status">
        {userAgent !== '' && found.isPending && <Loader size="xs" aria-label="Looking it up" />}
        {userAgent !== '' && found.data && (
          <Found userAgent={userAgent} evidence={found.data.identification.evidence} />
        )}
      </div>
      {userAgent !== '' && found.isError && <Failure error={found.error} title="It can't be looked up" />}
    </Section>
  );
}

interface FoundProps {
  userAgent: string;
  evidence: { user_agent_token?: string | null; user_agent_match?: string | null };
}

function Found({ userAgent, evidence }: FoundProps) {
  const { user_agent_token: token, user_agent_match: match = null } = evidence;
  if (token == null) return <Text size="sm">No agent in the catalog matches.</Text>;
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
        , by the highlighted part:
      </Text>
      <Code block mt={4} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        <Matched text={userAgent} part={match} />
      </Code>
    </>
  );
}

import { Code, Button, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { renderedRulesQuery, type RuleFormat, type RulesSelection } from '../../../api/rules-queries.js';
import classes from '../../../rules/rules.module.css';
import { CopyButton } from '../../../ui/copy-button.js';
import { downloadFile } from '../../../ui/download-file.js';
import { Failure } from '../../../ui/failure.js';
import { Section } from '../../../ui/section.js';
import { SmallSelect } from '../../../ui/small-select.js';
import { Snippet } from '../../../ui/snippet.js';
import { TextLink } from '../../../ui/text-link.js';
import { isRobotsTxt } from '../../../rules/robots-format.js';
import { FORMATS } from './formats.js';
import { commandLine, hasAgents } from './selection.js';

const OPTIONS = (Object.keys(FORMATS) as RuleFormat[])
  .filter((format) => !isRobotsTxt(format))
  .map((value) => ({ value, label: FORMATS[value].label }));

/** Shows a file with which a server blocks the agents that the robots.txt draft disallows, by their User-Agent. */
export function StaticBlocks({ projectId, selection }: { projectId: string; selection: RulesSelection }) {
  const [format, setFormat] = useState<RuleFormat>(isRobotsTxt(selection.format) ? 'nginx-map' : selection.format);
  // The path, signals and license only work in robots.txt.
  const {
    disallow: _path,
    content_signal: _signal,
    content_usage: _usage,
    license: _license,
    ...agents
  } = { ...selection, format };
  const rendered = useQuery(renderedRulesQuery(projectId, agents));
  const { file, mediaType, label } = FORMATS[format];
  const text = rendered.data?.text ?? '';
  return (
    <Section
      title="Block agents without calling this instance"
      lead="These lines block the agents selected under robots.txt by their User-Agent, on the entire site."
      actions={
        <SmallSelect
          aria-label="Format"
          options={OPTIONS}
          value={format}
          onChange={(value) => setFormat(value as RuleFormat)}
        />
      }
    >
      {!hasAgents(selection) ? (
        <Text size="sm">
          No agents are selected yet.{' '}
          <TextLink to="/projects/$projectId/robots" params={{ projectId }} inherit>
            Select agents
          </TextLink>
        </Text>
      ) : (
        <>
          {rendered.isError && <Failure error={rendered.error} retry={() => void rendered.refetch()} />}
          {rendered.isPending && <Loader size="sm" role="status" aria-label="Loading" />}
          {rendered.data && (
            <>
              <Code block className={classes['file']} tabIndex={0} role="region" aria-label="Rendered file">
                {text}
              </Code>
              <Group gap="xs">
                <CopyButton text={text} what={`the lines for ${label}`} />
                <Button size="compact-sm" variant="default" onClick={() => downloadFile(file, text, mediaType)}>
                  Download {file}
                </Button>
              </Group>
              <Snippet text={commandLine(agents, projectId)} what="the command for the file" />
            </>
          )}
        </>
      )}
    </Section>
  );
}

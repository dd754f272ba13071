import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import type { Project } from '../api/client.js';
import { validateFilter } from './visit-filters.js';

interface PathFilterProps {
  project: Pick<Project, 'path_patterns'>;
  onAdd: (path: string) => void;
}

/** Field that adds a filter for the start of the path or a pattern. Suggests the project's patterns. */
export default function PathFilter({ project, onAdd }: PathFilterProps) {
  const list = useId();
  const [text, setText] = useState('');
  const error = validateFilter('path', text);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text === '' || error !== null) return;
        onAdd(text);
        setText('');
      }}
    >
      <TextInput
        size="xs"
        w={180}
        aria-label="Filter by path"
        placeholder="Path, such as /docs/*"
        value={text}
        error={error}
        list={list}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <datalist id={list}>
        {project.path_patterns.map(({ name, pattern }) => (
          <option key={pattern} value={pattern}>
            {name}
          </option>
        ))}
      </datalist>
    </form>
  );
}

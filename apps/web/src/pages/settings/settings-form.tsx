import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Project, ProjectChange, Versioned } from '../../api/client.js';
import { rememberOwn } from '../../api/if-match.js';
import { useProjectChange } from '../../api/project-change.js';
import { projectQuery } from '../../api/queries.js';
import { useRemount } from '../../ui/remount.js';
import { SavedForm, type SavedFormProps } from '../../ui/saved-form.js';

interface SettingsFormProps<V extends Record<string, unknown>> extends Omit<SavedFormProps<V>, 'save' | 'shared'> {
  project: Versioned<Project>;
  change: (values: V) => ProjectChange;
}

/** Saves a part of a project's settings, unless somebody else has changed them meanwhile, and says that it did. */
export function SettingsForm<V extends Record<string, unknown>>(props: SettingsFormProps<V>) {
  const { project, change, ...rest } = props;
  const save = useProjectChange(project.id);
  const queryClient = useQueryClient();
  const remount = useRemount();
  // The page may have read it again since the form was filled in.
  const base = useRef(project);
  return (
    <SavedForm
      {...rest}
      save={async (values) => {
        base.current = await save(change(values), base.current.etag);
      }}
      shared={{
        base: base.current,
        adopt: (current) => {
          // Other forms on the page are filled in with the same: what differs was shown.
          rememberOwn(base.current.etag, (current as Versioned<Project>).etag);
          base.current = current as Versioned<Project>;
          queryClient.setQueryData(projectQuery(project.id).queryKey, base.current);
        },
        reload: remount,
      }}
    />
  );
}

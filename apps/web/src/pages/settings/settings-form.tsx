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

/** Form for a part of the project settings. Asks what to do if someone else changed them in the meantime. */
export function SettingsForm<V extends Record<string, unknown>>(props: SettingsFormProps<V>) {
  const { project, change, ...rest } = props;
  const save = useProjectChange(project.id);
  const queryClient = useQueryClient();
  const remount = useRemount();
  // Version that the form was filled in with. `project` may have been refetched since.
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
          // The user has seen the differences, so other forms on the page can build on the new version, too.
          rememberOwn(base.current.etag, (current as Versioned<Project>).etag);
          base.current = current as Versioned<Project>;
          queryClient.setQueryData(projectQuery(project.id).queryKey, base.current);
        },
        reload: remount,
      }}
    />
  );
}

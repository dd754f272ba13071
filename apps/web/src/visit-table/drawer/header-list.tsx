import { Badge } from '@mantine/core';
import type { Visit } from '../../api/client.js';
import { REDACTED } from './curl.js';
import { DescriptionList } from '../../ui/description-list.js';

type Headers = Visit['visit']['request_headers'];

export function HeaderList({ headers }: { headers: Headers }) {
  const facts = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value, index) => [index === 0 ? name : `${name} (${index + 1})`, renderValue(value)] as const),
  );
  return <DescriptionList facts={facts} />;
}

function renderValue(value: unknown) {
  if (value === REDACTED) {
    return (
      <Badge size="sm" variant="outline" color="gray" c="dimmed" tt="none">
        redacted, not stored
      </Badge>
    );
  }
  return value === null ? null : String(value);
}

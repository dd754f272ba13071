import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { asyncApiDocument } from '#libs/contracts';

interface Message {
  topic: string;
  headers: Record<string, string>;
  value: Buffer;
}

const document = asyncApiDocument();
// Only allow standard formats, so that readers can validate messages with off-the-shelf tools.
const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true, allowUnionTypes: true });
formats.default(ajv);
ajv.addKeyword('components').addSchema({ $id: 'document', components: document.components });

/** Returns the ways in which a message deviates from the AsyncAPI document. */
export function findDeviations({ topic, headers, value }: Message): string[] {
  const name = Object.entries(document.channels).find(([, { address }]) => address === topic)![0];
  const { headers: headerSchema, contentType } = document.components.messages[name]!;
  const faults: string[] = [];
  const knownHeaders = [
    ...Object.keys(headerSchema.properties ?? {}),
    ...Object.keys(headerSchema.patternProperties ?? {}),
  ];
  for (const header of Object.keys(headers)) {
    if (!knownHeaders.some((name) => name === header || (name.startsWith('^') && header.startsWith(name.slice(1))))) {
      faults.push(`${header} isn't documented`);
    }
  }
  const check = (path: string, content: unknown): void => {
    const validate = ajv.getSchema(`document#/components/messages/${name}/${path}`)!;
    if (!validate(content)) faults.push(`${path}: ${ajv.errorsText(validate.errors)}`);
  };
  check('headers', headers);
  check('payload', contentType === 'application/json' ? JSON.parse(value.toString()) : value.toString());
  return faults;
}

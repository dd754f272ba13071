import { _, type Ajv2020, type CodeKeywordDefinition } from 'ajv/dist/2020.js';

/**
 * Makes Ajv skip `pattern` and `format` if the text exceeds `maxLength`, even if it collects all errors. Schemas that use
 * either without a `maxLength` no longer compile.
 *
 * @param boundedFormats formats that refuse long texts themselves and don't require a `maxLength`.
 */
export function checkLengthsFirst(ajv: Ajv2020, boundedFormats: ReadonlySet<string>): void {
  for (const keyword of ['pattern', 'format']) {
    const definition = ajv.getKeyword(keyword) as CodeKeywordDefinition;
    ajv.removeKeyword(keyword).addKeyword({
      ...definition,
      code(cxt, ruleType) {
        if (keyword === 'format' && boundedFormats.has(String(cxt.schema))) return definition.code(cxt, ruleType);
        const { maxLength } = cxt.parentSchema as { maxLength?: number };
        if (maxLength === undefined) throw new Error(`${cxt.it.errSchemaPath} has a ${keyword} but no maxLength`);
        const check = cxt.gen.scopeValue('func', { ref: isWithin });
        cxt.gen.if(_`${check}(${cxt.data}, ${maxLength})`, () => definition.code(cxt, ruleType));
      },
    });
  }
}

/** Counts characters like `maxLength`, not UTF-16 code units. */
function isWithin(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}

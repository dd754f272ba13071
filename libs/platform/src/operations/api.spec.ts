import { Module } from '@nestjs/common';
import { toInternal, operation } from '#libs/contracts';
import { pino } from 'pino';
import { Type } from 'typebox';
import { createHttpApp } from '../http-app.js';
import { registerInternalAccess } from '../internal/internal-access.js';
import { InternalClient } from '../internal/internal-client.js';
import { PlatformModule } from '../platform.module.js';
import { notFound } from './read-request.js';
import { createApiToken, createController, createHttpApi, type OperationInput } from './api.js';

const wordsParameter = {
  description: '',
  schema: Type.Array(Type.String()),
  fault: '',
  read: (texts: readonly string[]) => (texts.length === 0 ? null : [...texts]),
};
const commonFields = { access: 'authenticated', tag: '', summary: '' } as const;
const findWord = operation({
  ...commonFields,
  method: 'get',
  path: '/api/words/{word}',
  id: 'findWord',
  params: { word: { description: '', schema: Type.String() } },
  query: { in: wordsParameter, but: wordsParameter },
  answer: Type.Object({ asked: Type.Unknown() }),
});
const addWord = operation({
  ...commonFields,
  method: 'post',
  path: '/api/words',
  id: 'addWord',
  body: Type.Object({ word: Type.String() }),
  status: 201,
  answer: Type.String(),
});
const removeWords = operation({
  ...commonFields,
  method: 'delete',
  path: '/api/words',
  id: 'removeWords',
  status: 204,
});
const OPERATIONS = { find: toInternal(findWord), add: toInternal(addWord), remove: toInternal(removeWords) };

abstract class Words extends createApiToken<typeof OPERATIONS>() {}

const implementation: Words = {
  find: async ({ params, query }: OperationInput<typeof findWord>) => ({ asked: { params, query } }),
  add: async ({ body }: OperationInput<typeof addWord>) => JSON.stringify(body.word),
  remove: async () => {
    throw notFound('word');
  },
};

@Module({
  imports: [PlatformModule.forRoot(pino({ level: 'silent' }))],
  controllers: [createController(OPERATIONS, Words)],
  providers: [{ provide: Words, useValue: implementation }],
})
class WordsModule {}

it("createHttpApi calls another service's operations like local methods", async () => {
  const app = await createHttpApp(WordsModule, pino({ level: 'silent' }));
  registerInternalAccess(app.getHttpAdapter().getInstance(), 'the-secret-of-the-services', Object.values(OPERATIONS));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const client = new InternalClient({ service: 'words', url, secret: 'the-secret-of-the-services' });
  const api = createHttpApi(client, OPERATIONS);
  try {
    const input = { params: { word: 'a/b ö?' }, query: { in: ['x&y', 'z'], but: null } };
    expect(await api.find(input)).toEqual({ asked: input });
    expect(await api.add({ body: { word: 'ö' } })).toBe('ö');
    await expect(api.add({ body: { word: 7 } } as never)).rejects.toMatchObject({
      type: 'invalid-body',
      errors: [{ pointer: '/word', detail: 'must be string' }],
    });
    await expect(api.remove({})).rejects.toMatchObject({ type: 'not-found', message: "This word doesn't exist." });
  } finally {
    await client.close();
    await app.close();
  }
});

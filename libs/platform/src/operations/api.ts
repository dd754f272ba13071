import { Controller, Inject, type Type } from '@nestjs/common';
import type { BodyOf, Operation, ParamsOf, QueryOf } from '#libs/contracts';
import type { Static, TSchema } from 'typebox';
import { InternalClient } from '../internal/internal-client.js';
import { Handle } from './handle.js';

/** What a caller asks with an operation. */
export type AskOf<O extends Operation> = (O extends { params: object } ? { params: ParamsOf<O> } : unknown) &
  (O extends { query: object } ? { query: QueryOf<O> } : unknown) &
  (O extends { body: TSchema } ? { body: BodyOf<O> } : unknown);

/** The answer of an operation that answers JSON. */
export type JsonOf<O extends Operation> = O extends { answer: TSchema } ? Static<O['answer']> : void;

type Operations = Readonly<Record<string, Operation>>;

/** What answers operations: a method for each, of its name. */
type ApiOf<Ops extends Operations> = { [K in keyof Ops]: (ask: AskOf<Ops[K]>) => Promise<JsonOf<Ops[K]>> };

/** What an injection token of an API extends: whatever is bound to it answers the operations. */
export const apiToken = <Ops extends Operations>() => class {} as unknown as abstract new () => ApiOf<Ops>;

/** Asks another service of ours for operations that are {@link internal} there. All throw ProblemError. */
export function httpApi<Ops extends Operations>(client: InternalClient, operations: Ops): ApiOf<Ops> {
  const methods = Object.entries(operations).map(([name, operation]) => [
    name,
    (ask: object) => client.call(operation, ask),
  ]);
  return Object.fromEntries(methods) as ApiOf<Ops>;
}

/** Returns a controller that passes each operation on to the method of its name. */
export function controllerOf<Ops extends Operations>(operations: Ops, api: abstract new () => ApiOf<Ops>): Type {
  @Controller()
  class PassingOn {
    constructor(@Inject(api) readonly api: ApiOf<Ops>) {}
  }
  for (const [name, operation] of Object.entries(operations)) {
    const method = {
      configurable: true,
      value(this: PassingOn, ask: never) {
        return this.api[name]!(ask);
      },
    };
    Handle(operation)(PassingOn.prototype, name, method as unknown as TypedPropertyDescriptor<never>);
    Object.defineProperty(PassingOn.prototype, name, method);
  }
  return PassingOn;
}

import { str } from '#libs/platform';

/** Who needs a second factor to do anything: administrators, with owners of projects or without, or nobody. */
export type SecondFactorPolicy = 'nobody' | 'administrators' | 'owners';

/** Settings of second factors; standalone has them, too. */
export const secondFactorSettings = {
  SECOND_FACTOR_REQUIRED: str({
    choices: ['nobody', 'administrators', 'owners'] as const,
    default: 'nobody',
    desc: 'Who needs a second factor: nobody, administrators, or these and owners of projects',
  }),
};

// Words for why a message was not sent, or not yet.

import { toWords } from './format.ts'

const REASONS = new Map(
  Object.entries({
    preference: 'Switched off by the user',
    suppressed: 'The user or the address is suppressed',
    'quiet-hours': 'Quiet hours of the user',
    condition: 'The condition of the step was not met',
    'no-address': 'The user has no address',
    sandbox: 'The e-mail sandbox of the environment lets no mail out to that address',
    'no-provider': 'The environment is in production and has no mail server',
    digested: 'Gathered into a digest',
    throttled: 'More than the throttle allows',
    'render-error': 'The template failed',
    'provider-error': 'The provider did not take it',
  }),
)

/** Any text may stand in an address. */
export const reasonName = (reason: string): string => REASONS.get(reason) ?? toWords(reason)

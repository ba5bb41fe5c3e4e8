// Guards the policy of Lit; the first script imports this before Lit.

import { guardLitPolicy } from './lib/lit-policy.ts'

guardLitPolicy()

// The campaigns that a fresh demo organisation has, as plain definitions: the edge's seeding publishes each (contract section 12).

import { SHOP_CAMPAIGNS } from './shop.ts'

export const DEMO_CAMPAIGNS: readonly unknown[] = SHOP_CAMPAIGNS

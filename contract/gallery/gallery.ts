// Lists the campaigns of the gallery, from which new ones begin: definitions that work as they are.

import { abandonedCart } from './abandoned-cart.ts'
import { commentDigest } from './comment-digest.ts'
import type { GalleryCampaign } from './gallery-campaign.ts'
import { incident } from './incident.ts'
import { invoiceUnlessRead } from './invoice-unless-read.ts'
import { orderShipped } from './order-shipped.ts'
import { paymentFailed } from './payment-failed.ts'
import { trialEnds } from './trial-ends.ts'
import { twoTexts } from './two-texts.ts'
import { weeklySummary } from './weekly-summary.ts'
import { welcome } from './welcome.ts'

export const GALLERY: readonly GalleryCampaign[] = [
  welcome,
  orderShipped,
  invoiceUnlessRead,
  commentDigest,
  abandonedCart,
  paymentFailed,
  weeklySummary,
  trialEnds,
  incident,
  twoTexts,
]

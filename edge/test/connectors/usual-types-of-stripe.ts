// Lists a delivery of each usual type of Stripe, in the shape that it documents, with the event that it becomes.

import type { UsualDelivery } from './usual-delivery.ts'

const STRIPE = 'https://docs.stripe.com/api'
const EVENT_PAGE = `${STRIPE}/events/object`
let stripeEvents = 0

/** Puts an object into the envelope of an event. */
function ofStripe(type: string, page: string, userId: string | null, object: object): UsualDelivery {
  stripeEvents++
  const envelope = {
    object: 'event',
    api_version: '2019-02-19',
    created: 1686089970,
    livemode: false,
    pending_webhooks: 0,
  }
  const id = `evt_1NG8Du2eZvKYlo2CUI79vX${String(stripeEvents).padStart(2, '0')}`
  return {
    provider: 'stripe',
    type,
    pages: [`${STRIPE}/${page}/object`, EVENT_PAGE],
    payload: { id, ...envelope, request: { id: null, idempotency_key: null }, type, data: { object } },
    event: { name: `stripe.${type}`, userId, properties: object, occurredAt: '2023-06-06T22:19:30.000Z' },
  }
}

const intent = (changes: object) => ({
  id: 'pi_3MtwBwLkdIwHu7ix28a3tqPa',
  object: 'payment_intent',
  amount: 2000,
  amount_details: { tip: {} },
  currency: 'usd',
  customer: 'cus_NffrFeUfNV2Hib',
  latest_charge: null,
  metadata: {},
  payment_method_types: ['card', 'link'],
  ...changes,
})
const invoice = (changes: object) => ({
  id: 'in_1MtHbELkdIwHu7ixl4OzzPMv',
  object: 'invoice',
  billing_reason: 'manual',
  collection_method: 'charge_automatically',
  created: 1680644467,
  currency: 'usd',
  customer: 'cus_NeZwdNtLEOXuvB',
  customer_email: 'jennyrosen@example.com',
  customer_name: 'Jenny Rosen',
  lines: { object: 'list', data: [], has_more: false, url: '/v1/invoices/in_1MtHbELkdIwHu7ixl4OzzPMv/lines' },
  metadata: {},
  ...changes,
})
const subscription = (changes: object) => ({
  id: 'sub_1MowQVLkdIwHu7ixeRlqHVzs',
  object: 'subscription',
  billing_cycle_anchor: 1679609767,
  cancellation_details: { comment: null, feedback: null, reason: null },
  current_period_end: 1682288167,
  customer: 'cus_Na6dX7aXxi11N4',
  metadata: {},
  ...changes,
})
const payout = (changes: object) => ({
  id: 'po_1OaFDbEcg9tTZuTgNYmX0PKB',
  object: 'payout',
  amount: 1100,
  arrival_date: 1680652800,
  destination: 'ba_1MtIhL2eZvKYlo2CAElKwKu2',
  failure_code: null,
  metadata: {},
  method: 'standard',
  ...changes,
})
const dispute = {
  id: 'du_1MtJUT2eZvKYlo2CNaw2HvEv',
  object: 'dispute',
  amount: 1000,
  balance_transactions: [],
  charge: 'ch_1AZtxr2eZvKYlo2CJDX8whov',
  evidence_details: { due_by: 1682294399, has_evidence: false, past_due: false, submission_count: 0 },
  metadata: {},
  payment_intent: null,
  reason: 'general',
  status: 'warning_needs_response',
}

export const stripeExamples = [
  ofStripe('payment_intent.succeeded', 'payment_intents', 'cus_NffrFeUfNV2Hib', intent({ status: 'succeeded' })),
  ofStripe(
    'payment_intent.payment_failed',
    'payment_intents',
    'u_42',
    intent({ status: 'requires_payment_method', metadata: { userId: 'u_42' } }),
  ),
  ofStripe('invoice.paid', 'invoices', 'cus_NeZwdNtLEOXuvB', invoice({ status: 'paid' })),
  ofStripe('invoice.payment_failed', 'invoices', 'cus_NeZwdNtLEOXuvB', invoice({ status: 'open' })),
  ofStripe('customer.subscription.created', 'subscriptions', 'cus_Na6dX7aXxi11N4', subscription({ status: 'active' })),
  ofStripe(
    'customer.subscription.updated',
    'subscriptions',
    'cus_Na6dX7aXxi11N4',
    subscription({ status: 'past_due' }),
  ),
  ofStripe(
    'customer.subscription.deleted',
    'subscriptions',
    'cus_Na6dX7aXxi11N4',
    subscription({ status: 'canceled' }),
  ),
  ofStripe('charge.dispute.created', 'disputes', null, dispute),
  ofStripe('payout.paid', 'payouts', null, payout({ status: 'paid' })),
  ofStripe('payout.failed', 'payouts', null, payout({ status: 'failed' })),
]

// Lists example events for the Send tab. Numbers in them are new at every use, so that orders differ.

export interface Preset {
  label: string
  name: string
  properties(serial: string): object
  /** Sent to this topic instead of the user. */
  topic?: string
}

export const PRESETS: readonly Preset[] = [
  {
    label: 'Order shipped',
    name: 'order.shipped',
    properties: (serial) => ({
      orderId: `L-${serial}`,
      summary: 'Monstera, sword fern',
      carrier: 'Green Post',
      total: 74,
      slug: 'monstera',
    }),
  },
  { label: 'Order delivered', name: 'order.delivered', properties: (serial) => ({ orderId: `L-${serial}` }) },
  { label: 'Welcome', name: 'user.signed-up', properties: () => ({ source: 'workbench' }) },
  {
    label: 'Comment',
    name: 'comment.created',
    properties: () => ({
      author: 'Ada from the greenhouse',
      plant: 'Sword fern',
      slug: 'sword-fern',
      text: 'Brown tips are thirst: put the pot in a bowl of water for an hour, and it will forgive you.',
    }),
  },
  {
    label: 'Invoice',
    name: 'invoice.issued',
    properties: (serial) => ({
      invoiceId: `R-${serial}`,
      total: 74,
      currency: 'EUR',
      dueOn: '14 December',
      daysOverdue: 0,
    }),
  },
  {
    label: 'Large invoice',
    name: 'invoice.issued',
    properties: (serial) => ({
      invoiceId: `R-${serial}`,
      total: 1280,
      currency: 'EUR',
      dueOn: '14 December',
      daysOverdue: 0,
    }),
  },
  {
    label: 'Overdue',
    name: 'invoice.issued',
    properties: (serial) => ({
      invoiceId: `R-${serial}`,
      total: 74,
      currency: 'EUR',
      dueOn: '1 November',
      daysOverdue: 12,
    }),
  },
  {
    label: 'Thirsty plant',
    name: 'plant.thirsty',
    properties: () => ({ plant: 'Rubber fig', slug: 'rubber-fig', moisture: 11, millilitres: 350 }),
  },
  {
    label: 'Back in stock',
    name: 'plant.restocked',
    topic: 'waitlist:monstera',
    properties: () => ({ plant: 'Monstera', slug: 'monstera', stock: 12, waiting: 31 }),
  },
  {
    label: 'Hostile text',
    name: 'comment.created',
    properties: () => ({
      author: '<img src=x onerror=alert(1)>',
      plant: '"><script>alert(2)</script>',
      slug: '../../v1/users',
      text: '[click](javascript:alert(3)) {{ user.email }} \u202egnp.exe',
      avatar: 'javascript:alert(4)',
    }),
  },
  { label: 'No campaign', name: 'greenhouse.door-opened', properties: () => ({ at: 'north' }) },
]

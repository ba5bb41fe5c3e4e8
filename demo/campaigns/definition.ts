// The campaign definition as a customer writes it: plain JSON for `POST /v1/campaigns` (contract section 6). All strings of an
// inbox step are Liquid templates; `when` and `where` are CEL.

export type Priority = 'low' | 'normal' | 'high' | 'urgent'
export type NamedIcon = 'info' | 'success' | 'warning' | 'error'

export interface DemoAction {
  label: string
  link: string
  style: 'default' | 'primary' | 'danger'
}

export interface DemoInboxStep {
  id: string
  type: 'inbox'
  title: string
  body: string
  bodyFormat?: 'text' | 'markdown'
  link?: string
  actions?: DemoAction[]
  /** Or the address of an image. */
  icon?: NamedIcon | `{{ ${string} }}`
  imageUrl?: string
  priority?: Priority
  entity?: string
  collapseKey?: string
  expiresAfter?: string
  data?: Record<string, string>
  locales?: Record<string, { title?: string; body?: string }>
}

export interface DemoBranch {
  key: string
  when?: string
  weight?: number
  else?: boolean
  steps: DemoStep[]
}

export type DemoStep =
  | DemoInboxStep
  | { id: string; type: 'branch'; branches: DemoBranch[] }
  | { id: string; type: 'enrich'; enricher: string; params: Record<string, string>; onError: 'stop' | 'continue' }
  | { id: string; type: 'exit'; reason?: string }

export interface DemoCampaign {
  key: string
  name: string
  category: string
  trigger: { event: string; where?: string }
  steps: DemoStep[]
}

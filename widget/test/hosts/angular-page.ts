// A page of Angular with zone.js; the test bundles the packed element with it. `ng` reports what Angular sees.

import '@angular/compiler'
import 'zone.js'
import {
  ApplicationRef,
  Component,
  CUSTOM_ELEMENTS_SCHEMA,
  type DoCheck,
  provideZoneChangeDetection,
} from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'

const attributes = Reflect.get(globalThis, 'attributes') as Record<string, string>
const seen = { checks: 0, arrived: 0 }

class Header implements DoCheck {
  unread = 0
  attributes = attributes
  tokenProvider = async () => ({ token: attributes.token })
  ngDoCheck(): void {
    seen.checks += 1
  }
  count(event: { unread: number }): void {
    this.unread = event.unread
  }
  arrive(event: { messages: unknown[] }): void {
    seen.arrived += event.messages.length
  }
}

Component({
  selector: 'app-header',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<p>{{ unread }} unread</p>
    <notification-center
      [attr.api-key]="attributes['api-key']"
      [attr.base-url]="attributes['base-url']"
      [attr.user-id]="attributes['user-id']"
      [tokenProvider]="tokenProvider"
      (nc-counts)="count($event)"
      (nc-arrive)="arrive($event)"
    ></notification-center>`,
})(Header)

bootstrapApplication(Header, { providers: [provideZoneChangeDetection()] }).then((app) => {
  const ng = { seen, isStable: false }
  app.injector.get(ApplicationRef).isStable.subscribe((isStable) => Object.assign(ng, { isStable }))
  Object.assign(globalThis, { ng })
})

// Uses the element without a framework: TypeScript knows its tag, methods and events by their names.

import '@notification-center/widget/define'

const center = document.createElement('notification-center')
center.apiKey = 'nc_front_…'
center.baseUrl = 'https://notify.example.com'
center.tokenProvider = async ({ reason }) => {
  const response = await fetch(`/notification-token?reason=${reason}`, { method: 'POST' })
  return response.json()
}
center.renderRow = (message) => document.createTextNode(message.title)
center.addEventListener('nc-counts', (event) => {
  document.title = event.unread > 0 ? `(${event.unread}) Shop` : 'Shop'
})
document.querySelector('notification-center')?.show()
document.body.append(center)

// Holds the words of mails and of pages behind their links, in Polish.

import type { EdgeWords } from './words.ts'

export const pl: EdgeWords = {
  footer: {
    why: 'Otrzymujesz tę wiadomość zgodnie ze swoimi ustawieniami powiadomień.',
    stop: 'Wypisz się',
    preferences: 'Preferencje',
    always: 'To ważna wiadomość. Wiadomości tego rodzaju nie można wyłączyć.',
  },
  links: {
    broken: ['Ten link nie działa', 'Mógł zostać po drodze ucięty lub zmieniony. Otwórz go ponownie z wiadomości.'],
    gone: ['Ta wiadomość nie jest już znana', 'Nie ma już z czego się wypisać.'],
    critical: ['Tych wiadomości nie można wyłączyć', 'Zawierają to, co trzeba wiedzieć, na przykład o koncie.'],
    ask: 'Wypisać się?',
    stop: 'Wypisz się',
    done: 'Subskrypcja wyłączona',
    noMore: 'Nie otrzymasz więcej wiadomości na temat „{}”.',
    noMoreOfAll: 'Nie otrzymasz więcej wiadomości, poza ważnymi.',
    again: 'Zapisz się ponownie',
    back: 'Subskrypcja znów włączona',
    more: 'Otrzymujesz wiadomości na temat „{}” jak dotąd.',
    moreOfAll: 'Otrzymujesz wiadomości jak dotąd.',
    yours: 'Jakie wiadomości otrzymujesz',
    others: 'Inne wiadomości',
    always: 'Zawsze wysyłane',
  },
}

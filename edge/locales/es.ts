// Holds the words of mails and of pages behind their links, in Spanish.

import type { EdgeWords } from './words.ts'

export const es: EdgeWords = {
  footer: {
    why: 'Recibes este correo por tus preferencias de notificaciones.',
    stop: 'Cancelar suscripción',
    preferences: 'Preferencias',
    always: 'Este es un mensaje importante. Los correos de este tipo no se pueden desactivar.',
  },
  links: {
    broken: [
      'Este enlace no funciona',
      'Puede que se haya cortado o cambiado por el camino. Ábrelo de nuevo desde el correo.',
    ],
    gone: ['Este correo ya no se conoce', 'No queda nada que cancelar.'],
    critical: [
      'Estos correos no se pueden desactivar',
      'Contienen lo que necesitas saber, por ejemplo sobre tu cuenta.',
    ],
    ask: '¿Cancelar la suscripción?',
    stop: 'Cancelar suscripción',
    done: 'Suscripción cancelada',
    noMore: 'No recibirás más correos sobre «{}».',
    noMoreOfAll: 'No recibirás más correos, salvo los importantes.',
    again: 'Volver a suscribirse',
    back: 'Suscripción activa de nuevo',
    more: 'Recibes correos sobre «{}» como antes.',
    moreOfAll: 'Recibes correos como antes.',
    yours: 'Qué correos recibes',
    others: 'Otros mensajes',
    always: 'Siempre se envía',
  },
  account: {
    invitation: {
      subject: 'Invitación a {organisation}',
      title: 'Tienes una invitación',
      text: '{by} te invita a unirte a {organisation} con el rol {role}.',
      textOfOperator: 'Te invitan a unirte a {organisation} con el rol {role}.',
      button: 'Aceptar la invitación',
      until: 'El enlace funciona una sola vez, durante siete días.',
      ignore: 'Si no esperabas esta invitación, ignora este correo.',
    },
    reset: {
      title: 'Establecer una contraseña nueva',
      text: 'Alguien ha pedido una contraseña nueva para tu cuenta {email}.',
      until: 'El enlace funciona una sola vez, durante una hora.',
      ignore: 'Si no fuiste tú, ignora este correo. Tu contraseña no cambia.',
    },
    changes: {
      password: 'Tu contraseña se ha cambiado',
      'totp-on': 'Se han activado los códigos de un solo uso',
      'totp-off': 'Se han desactivado los códigos de un solo uso',
      'passkey-added': 'Se ha añadido una llave de acceso',
      'passkey-removed': 'Se ha eliminado una llave de acceso',
      'passkeys-removed': 'Se han eliminado todas las llaves de acceso',
    },
    changed: {
      text: 'Este cambio se ha hecho en tu cuenta {email}.',
      otherwise:
        'Si no fuiste tú, establece enseguida una contraseña nueva, elimina allí tus llaves de acceso y avisa a un owner de tu organización.',
    },
    ending: {
      subject: 'Una clave antigua de {environment} caduca pronto',
      title: 'Un valor antiguo caduca pronto',
      text: 'El valor antiguo de {kind} en {environment} caduca el {endsAt}. Después se rechaza.',
      used: 'Se usó por última vez el {lastUsedAt}: da el valor nuevo a quienes lo usan o amplía la transición.',
      unused: 'No se ha usado desde que existe el valor nuevo.',
      next: 'Este correo se envía una sola vez por valor.',
      button: 'Abrir los secretos',
    },
    approval: {
      subject: '{by} pide publicar «{campaign}» en {environment}',
      title: 'Una campaña espera aprobación',
      text: '{by} pide publicar «{campaign}» en {environment}. Una segunda persona debe aprobarlo, por ejemplo tú.',
      note: 'La nota dice: {note}',
      until: 'Hasta entonces no cambia nada para tus usuarios.',
      button: 'Ver la campaña',
    },
  },
}

"""Steps of the Python client as Debian ships it."""
import os

import stripe
from kit import equal, step

stripe.api_key = os.environ["SANDBOX_KEY"]
stripe.api_base = os.environ["SANDBOX_URL"]


def declined():
    try:
        stripe.PaymentIntent.create(
            amount=1000, currency="usd", confirm=True, payment_method="pm_card_chargeDeclined", payment_method_types=["card"]
        )
    except stripe.error.CardError as error:
        equal(error.code, "card_declined")
        return
    raise AssertionError("nothing was raised")


def paid():
    intent = stripe.PaymentIntent.create(
        amount=1000, currency="usd", confirm=True, payment_method="pm_card_visa", payment_method_types=["card"]
    )
    equal(intent.status, "succeeded")
    return intent


def subscribed(customer):
    product = stripe.Product.create(name="Gold")
    price = stripe.Price.create(product=product.id, currency="usd", unit_amount=1500, recurring={"interval": "month"})
    made = stripe.Subscription.create(customer=customer.id, items=[{"price": price.id}])
    equal(made.status, "active")
    equal(made.plan.id, price.id)
    equal(stripe.Subscription.modify(made.id, cancel_at_period_end=True).cancel_at_period_end, True)
    equal(stripe.Subscription.delete(made.id).status, "canceled")


def captured():
    intent = stripe.PaymentIntent.create(
        amount=1000, currency="usd", confirm=True, off_session=False, capture_method="manual",
        payment_method="pm_card_visa", payment_method_types=["card"],
    )
    equal(stripe.PaymentIntent.capture(intent.id, amount_to_capture=600).amount_received, 600)


customer = step("a customer with a card", lambda: stripe.Customer.create(email="ann@example.com", source="tok_visa"))
step("the card is among the sources", lambda: equal(len(stripe.Customer.list_sources(customer.id).data), 1))
step("a legacy charge", lambda: equal(stripe.Charge.create(amount=500, currency="usd", customer=customer.id).paid, True))
intent = step("a payment (booleans as Python writes them)", paid)
step("a refund", lambda: equal(stripe.Refund.create(payment_intent=intent.id).status, "succeeded"))
step("a decline is a CardError", declined)
step("authorised and captured in part", captured)
step("a subscription with its plan, and its end", lambda: subscribed(customer))
step("all pages of a list", lambda: list(stripe.Event.list(limit=3).auto_paging_iter()))
step("a customer is deleted", lambda: equal(stripe.Customer.delete(customer.id).deleted, True))

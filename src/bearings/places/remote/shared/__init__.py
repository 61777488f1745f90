"""The state that replicas share through one Redis or Valkey: pace, cool-downs, answers, calls in flight.

Nothing here is imported unless BEARINGS_SHARED is set (docs/decisions/0028-redis.md).
"""

"""The machine as it should be against the machine as found.

``matching`` says which thing is which, by name or by where it hangs; ``links`` and ``things``
find what differs, at the finest level that both descriptions know; ``differences`` puts it in
order and says what could not be compared. What one side cannot know is never called a difference.
"""

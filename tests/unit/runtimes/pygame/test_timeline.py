from playsuite.runtimes.pygame.guest.timeline import BOUNDARY, FILM, INPUT, Timeline


def test_what_is_due_happens_in_order_and_at_its_own_moment():
    timeline, told = Timeline(), []
    for moment in (30, 10, 20):
        timeline.at(moment, lambda: told.append(timeline.now))
    timeline.advance(25)
    assert told == [10, 20]
    assert timeline.now == 25
    assert timeline.next_due() == 30


def test_at_one_instant_input_comes_before_the_end_of_the_step_and_the_film_after_it():
    timeline, told = Timeline(), []
    for rank in (FILM, BOUNDARY, INPUT):
        timeline.at(10, lambda rank=rank: told.append(rank), rank)
    timeline.advance(10)
    assert told == [INPUT, BOUNDARY, FILM]


def test_an_action_may_plan_the_next_one():
    timeline, told = Timeline(), []

    def ring():
        told.append(timeline.now)
        timeline.at(timeline.now + 10, ring)

    timeline.at(10, ring)
    timeline.advance(35)
    assert told == [10, 20, 30]


def test_time_never_goes_back():
    timeline = Timeline()
    timeline.advance(10)
    timeline.advance(-5)
    assert timeline.now == 10

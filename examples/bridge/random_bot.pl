# Plays random moves: a whole program for the Amazons engine protocol (docs/protocol.md), on every board.
use strict;
use warnings;

my (@board, $queen);    # rows from the top, '.' is free
$| = 1;

sub square {
    my ($letters, $number) = $_[0] =~ /^([a-z]+)(\d+)$/;
    my $column = 0;
    $column = $column * 26 + ord($_) - 96 for split //, $letters;
    return [@board - $number, $column - 1];
}

sub name {
    my ($y, $x) = @{$_[0]};
    my $letters = '';
    for (my $n = $x; $n >= 0; $n = int($n / 26) - 1) { $letters = chr(97 + $n % 26) . $letters }
    return $letters . (@board - $y);
}

# A position text, then moves.
sub read_position {
    my ($text, $side, @rest) = @_;
    $text =~ s/(\d+)/'.' x $1/ge;
    @board = map { [split //] } split m{/}, $text;
    $queen = $side eq 'w' ? 'Q' : 'q';
    shift @rest while @rest && $rest[0] ne 'moves';
    for my $move (@rest[1 .. $#rest]) {
        my ($from, $to, $arrow) = map { square($_) } split m{[-/]}, $move;
        $board[$from->[0]][$from->[1]] = '.';
        $board[$to->[0]][$to->[1]] = $queen;
        $board[$arrow->[0]][$arrow->[1]] = '*';
        $queen = $queen eq 'Q' ? 'q' : 'Q';
    }
}

sub slides {
    my ($y, $x) = @{$_[0]};
    my @found;
    for my $step ([-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]) {
        my ($r, $c) = ($y + $step->[0], $x + $step->[1]);
        while ($r >= 0 && $c >= 0 && $r < @board && ($board[$r][$c] // '') eq '.') {
            push @found, [$r, $c];
            $r += $step->[0];
            $c += $step->[1];
        }
    }
    return @found;
}

sub choose {
    my @moves;
    for my $y (0 .. $#board) {
        for my $x (grep { $board[$y][$_] eq $queen } 0 .. $#{$board[$y]}) {
            $board[$y][$x] = '.';
            for my $to (slides([$y, $x])) { push @moves, [[$y, $x], $to, $_] for slides($to) }
            $board[$y][$x] = $queen;
        }
    }
    return @moves ? sprintf '%s-%s/%s', map { name($_) } @{$moves[rand @moves]} : 'none';
}

while (<STDIN>) {
    my ($word, @words) = split or next;
    if ($word eq 'aep') { print "id name random bot in Perl\naepok 1\n" }
    elsif ($word eq 'isready') { print "readyok\n" }
    elsif ($word eq 'position' && ($words[0] // '') eq 'fen') { read_position(@words[1 .. $#words]) }
    elsif ($word eq 'go') { print 'bestmove ', choose(), "\n" }
    elsif ($word eq 'quit') { last }
}
